package io.weir.engine.graph;

import io.weir.engine.api.Pipeline;
import io.weir.engine.api.logical.Input;
import io.weir.engine.api.logical.Step;
import io.weir.engine.api.logical.Transform;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** What must hold of a pipeline before a plan is made of it. */
final class PipelineCheck {
    private final Pipeline pipeline;
    private final Function<Step, String> label;

    PipelineCheck(final Pipeline pipeline, final Function<Step, String> label) {
        this.pipeline = pipeline;
        this.label = label;
    }

    /** @throws PlanException that names the operator and what to do. */
    void run() {
        final Set<Step> before = new HashSet<>();
        final Set<Step> taken = new HashSet<>();
        for (final Step step : pipeline.steps()) {
            for (final Input input : step.inputs()) {
                if (!before.contains(input.from())) {
                    throw new PlanException(label.apply(step)
                            + " takes records from a step that does not stand before it: a pipeline has no cycles");
                }
                taken.add(input.from());
                sideOutput(input);
            }
            before.add(step);
        }
        for (final Step step : pipeline.steps()) {
            if (!taken.contains(step) && !(step.transform() instanceof Transform.Write)) {
                throw new PlanException(
                        label.apply(step) + " leads nowhere: write its stream to a log, or leave it out");
            }
            parallelism(step);
        }
        if (pipeline.steps().isEmpty()) {
            throw new PlanException("pipeline '" + pipeline.name() + "' is empty: read a log and write to one");
        }
        eventTime();
    }

    private void parallelism(final Step step) {
        final int parallelism = step.parallelism() == 0 ? pipeline.parallelism() : step.parallelism();
        if (parallelism > pipeline.maxParallelism()) {
            throw new PlanException(label.apply(step) + ": parallelism=" + parallelism + " must be <= maxParallelism="
                    + pipeline.maxParallelism());
        }
    }

    private void sideOutput(final Input input) {
        if (input.tag() == null) {
            return;
        }
        final Transform transform = input.from().transform();
        final boolean emits = transform instanceof Transform.ProcessEach
                || transform instanceof Transform.KeyedProcess
                || transform instanceof Transform.BroadcastProcess
                || transform instanceof Transform.KeyedBroadcastProcess
                || (transform instanceof Transform.WindowAggregate aggregate
                        && aggregate.lateTag() != null
                        && aggregate.lateTag().name().equals(input.tag().name()));
        if (!emits) {
            throw new PlanException(label.apply(input.from()) + " has no side output '"
                    + input.tag().name() + "'");
        }
    }

    /** Every way to a window leads over an eventTime, and every eventTime stands in its source's chain. */
    private void eventTime() {
        final Map<Step, Boolean> timed = new HashMap<>();
        for (final Step step : pipeline.steps()) {
            final Transform transform = step.transform();
            boolean inputsTimed = !step.inputs().isEmpty();
            for (final Input input : step.inputs()) {
                inputsTimed &= timed.get(input.from());
            }
            if (transform instanceof Transform.WindowAggregate && !inputsTimed) {
                throw new PlanException(label.apply(step)
                        + " needs event time: call eventTime(...) behind every source that leads to it");
            }
            if (transform instanceof Transform.EventTime) {
                inSourceChain(step);
            }
            timed.put(step, inputsTimed || transform instanceof Transform.EventTime);
        }
    }

    private void inSourceChain(final Step eventTime) {
        Step step = eventTime;
        while (!(step.transform() instanceof Transform.Read)) {
            final Step current = step;
            if (step.inputs().size() != 1 || !Chaining.chains(current, pipeline)) {
                throw new PlanException(label.apply(eventTime)
                        + " must stand in the chain of its source, because it follows each source partition on"
                        + " its own: "
                        + (current == eventTime ? "it" : label.apply(current) + " before it")
                        + " has a keyBy, a union, a connect or another parallelism in front; call"
                        + " eventTime(...) right behind read(...)");
            }
            step = step.inputs().get(0).from();
        }
    }
}
