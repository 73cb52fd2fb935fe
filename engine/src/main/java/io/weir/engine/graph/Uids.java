package io.weir.engine.graph;

import io.weir.engine.api.logical.Step;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Gives each step its id: the user's, or its name and its place among the steps of that name, such as {@code map-2}. Ids stand in
 * file names, so other characters of a name become {@code _}.
 */
final class Uids {
    private Uids() {}

    /** @throws PlanException if two steps have one id. */
    static Map<Step, String> assign(final List<Step> steps) {
        final Map<Step, String> uids = new HashMap<>();
        final Map<String, Step> owners = new HashMap<>();
        final Map<String, Integer> places = new HashMap<>();
        for (final Step step : steps) {
            final String stem = step.name().replaceAll("[^A-Za-z0-9._-]", "_");
            final int place = places.merge(stem, 1, Integer::sum);
            final String uid = step.uid() == null ? stem + '-' + place : step.uid();
            final Step other = owners.putIfAbsent(uid, step);
            if (other != null) {
                throw new PlanException("operators '" + other.name() + "' and '" + step.name() + "' both have uid '"
                        + uid + "': state is kept under it, so give each its own");
            }
            uids.put(step, uid);
        }
        return uids;
    }
}
