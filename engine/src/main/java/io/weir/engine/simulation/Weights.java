package io.weir.engine.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** How often each step comes in one run: the usual ones more or less often, faults also not at all. */
final class Weights {
    private static final List<Step> STEPS = List.of(Step.values());

    private final List<Integer> weights;
    private final int total;

    private Weights(final List<Integer> weights) {
        this.weights = weights;
        total = weights.stream().mapToInt(Integer::intValue).sum();
    }

    static Weights draw(final SplittableRandom random) {
        final List<Integer> weights = new ArrayList<>();
        for (final Step step : STEPS) {
            weights.add(step.weight() * (step.isUsual() ? 1 + random.nextInt(4) : 2 * random.nextInt(4)));
        }
        return new Weights(weights);
    }

    Step next(final SplittableRandom random) {
        int left = random.nextInt(total);
        int step = 0;
        while (left >= weights.get(step)) {
            left -= weights.get(step);
            step++;
        }
        return STEPS.get(step);
    }
}
