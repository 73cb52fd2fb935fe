package io.weir.engine.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The behavioural cases of the coordinator, one a line: number, tasks, settings, events with what they ask for (notation
 * of {@link CoordinatorScript}).
 *
 * <p>Not here, and why: case 86, 87 (requests that wait are answered by one checkpoint, so there is no queue to order or to
 * overflow), case 90 to 92 and 105's savepoints (no savepoints yet), case 94 and 97 (the coordinator creates no location and
 * runs no hook), case 95's failing id source (ids are counted here; a refused request leaves no trace, which FC-89 shows),
 * case 100 (which files are shared is known to whoever keeps the handles), case 102's coordinator-side parts (none yet; the
 * order abort, complete is FC-79's), case 106 (no independent regions yet), case 146 (what a snapshot says of its operators
 * is in its handle). FC-76's timeout disarming is in {@link CheckpointCoordinatorTest}.
 */
class CoordinatorCasesTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
    # Acknowledge, complete, retain.
    FC-75 | 2 | | run req:trig1/0,trig1/1 ack1/1 ack1/1 ack1/0:store1 stored1:complete1 +1 req:trig2/0,trig2/1 ack2/0 ack2/1:store2 stored2:complete2,drop1
    FC-78 | 3 | concurrent=2 retain=2 | run req:trig1/0,trig1/1,trig1/2 ack1/1 req:trig2/0,trig2/1,trig2/2 ack1/2 ack2/0 ack1/0:store1 stored1:complete1 ack2/1 ack2/2:store2 stored2:complete2
    FC-79 | 3 | concurrent=2 | run req:trig1/0,trig1/1,trig1/2 ack1/1 req:trig2/0,trig2/1,trig2/2 ack2/2 ack2/0 ack1/0 ack2/1:store2 stored2:abort1(subsumed,2),discard1,complete2 ack1/2:late1/2
    stores go one at a time, oldest first | 1 | concurrent=2 retain=2 | run req:trig1/0 req:trig2/0 ack1/0:store1 ack2/0 stored1:complete1,store2 stored2:complete2
    an older one completes after all if the newer can't be stored | 2 | concurrent=2 tolerable=1 | run req:trig1/0,trig1/1 req:trig2/0,trig2/1 ack1/0 ack2/0 ack2/1:store2 ack1/1 storefail2:abort2(store_failed,-),discard2,store1 stored1:complete1

    # Declines, timeouts, failed stores.
    FC-76 | 2 | | run req:trig1/0,trig1/1 ack1/0 dec1/1:abort1(snapshot_failed,-),discard1,failjob1(snapshot_failed) dec1/1 dec1/0
    FC-76 tolerated | 2 | tolerable=1 | run req:trig1/0,trig1/1 ack1/0 dec1/1:abort1(snapshot_failed,-),discard1 dec1/1 dec1/0 req:trig2/0,trig2/1
    FC-80, jet-1435, jet-1377 | 2 | timeout=100 tolerable=1 | run req:trig1/0,trig1/1 ack1/0 +99 tick +1 tick:abort1(expired,-),discard1 ack1/1:late1/1
    no timeout while storing | 1 | timeout=100 | run req:trig1/0 ack1/0:store1 +200 tick stored1:complete1
    FC-99 | 1 | tolerable=1 | run req:trig1/0 ack1/0:store1 storefail1:abort1(store_failed,-),discard1 storefail1 stored1
    FC-99 outcome unknown | 1 | tolerable=1 | run req:trig1/0 ack1/0:store1 storeunknown1:abort1(store_outcome_unknown,-) ack1/0
    FC-101 | 1 | tolerable=1 | run req:trig1/0 ack1/0:store1 stored1:complete1 req:trig2/0 dec2/0:abort2(snapshot_failed,1),discard2
    FC-104 | 2 | | run req:trig1/0,trig1/1 dec1/0(task_not_ready):abort1(task_not_ready,-),discard1 fin0 req:trig2/1

    # Strange messages.
    FC-81 | 2 | tolerable=1 | run req:trig1/0,trig1/1 ack1/0 ack1/0 ack9/0 ack1/7 oldack1/1 dec1/1:abort1(snapshot_failed,-),discard1 ack1/1:late1/1 oldack1/1:late1/1 ack0/0
    FC-81 duplicate after completion | 1 | | run req:trig1/0 ack1/0:store1 ack1/0 stored1:complete1 ack1/0 dec1/0
    answers of an earlier run | 1 | | run req:trig1/0 restart:abort1(job_failed,-),discard1 run req:trig2/0 oldack2/0 oldack1/0:late1/0 ack2/0:store2

    # Tolerable failures.
    FC-93 b | 1 | tolerable=2 | run req:trig1/0 dec1/0:abort1(snapshot_failed,-),discard1 req:trig2/0 dec2/0:abort2(snapshot_failed,-),discard2 req:trig3/0 restart:abort3(job_failed,-),discard3 run req:trig4/0 dec4/0:abort4(snapshot_failed,-),discard4,failjob4(snapshot_failed)
    FC-93 c | 1 | tolerable=2 timeout=10 | run req:trig1/0 dec1/0:abort1(snapshot_failed,-),discard1 req:trig2/0 dec2/0:abort2(snapshot_failed,-),discard2 req:trig3/0 restart:abort3(job_failed,-),discard3 run req:trig4/0 ack4/0:store4 stored4:complete4 req:trig5/0 +10 tick:abort5(expired,4),discard5
    FC-93 d | 1 | tolerable=2 | run req:trig1/0 dec1/0:abort1(snapshot_failed,-),discard1 req:trig2/0 dec2/0:abort2(snapshot_failed,-),discard2 dec2/0 req:trig3/0
    not every reason counts | 1 | | run req:trig1/0 dec1/0(subsumed):abort1(subsumed,-),discard1 req:trig2/0 dec2/0(cancelled_upstream):abort2(cancelled_upstream,-),discard2 req:trig3/0
    a failed job gives up all others | 1 | concurrent=2 | run req:trig1/0 req:trig2/0 dec2/0:abort2(snapshot_failed,-),discard2,failjob2(snapshot_failed),abort1(job_failed,-),discard1 req tick restart run req:trig3/0
    a store outlives the failed job | 1 | concurrent=2 | run req:trig1/0 req:trig2/0 ack1/0:store1 dec2/0:abort2(snapshot_failed,-),discard2,failjob2(snapshot_failed) stored1:complete1 restart run req:trig3/0

    # When to trigger.
    FC-82 one | 1 | interval=10 | run +9 tick +1 tick:trig1/0 +10 tick +10 tick ack1/0:store1 tick stored1:complete1,trig2/0 tick +9 tick
    FC-82 two | 1 | interval=10 concurrent=2 | run +10 tick:trig1/0 +10 tick:trig2/0 +10 tick +10 tick ack1/0:store1 stored1:complete1,trig3/0 tick
    FC-82 five | 1 | interval=10 concurrent=5 | run +10 tick:trig1/0 +10 tick:trig2/0 +10 tick:trig3/0 +10 tick:trig4/0 +10 tick:trig5/0 +10 tick +10 tick ack1/0:store1 stored1:complete1,trig6/0 tick
    a subsuming completion frees two slots | 2 | interval=10 concurrent=2 | run +10 tick:trig1/0,trig1/1 +10 tick:trig2/0,trig2/1 +10 ack2/0 ack2/1:store2 stored2:abort1(subsumed,2),discard1,complete2,trig3/0,trig3/1 +10 tick:trig4/0,trig4/1
    missed intervals are left out | 1 | interval=10 | run +10 tick:trig1/0 ack1/0:store1 stored1:complete1 +55 tick:trig2/0 ack2/0:store2 stored2:complete2,drop1 tick +9 tick +1 tick:trig3/0
    the rate is kept | 1 | interval=10 | run +13 tick:trig1/0 ack1/0:store1 stored1:complete1 +7 tick:trig2/0
    FC-84 | 1 | interval=10 pause=1000 | run +10 tick:trig1/0 +490 ack1/0:store1 stored1:complete1 +10 tick +989 tick +1 tick:trig2/0
    FC-84 no overlap | 1 | interval=10 pause=1 concurrent=2 | run +10 tick:trig1/0 +10 tick +10 tick ack1/0:store1 stored1:complete1 +1 tick:trig2/0
    FC-85 | 1 | interval=10 pause=1000 | run +10 tick:trig1/0 ack1/0:store1 stored1:complete1 +10 tick req:trig2/0
    manual request waits for a slot, before the period | 1 | interval=10 | run req:trig1/0 +10 req tick req ack1/0:store1 stored1:complete1,trig2/0 ack2/0:store2 stored2:complete2,drop1,trig3/0 ack3/0:store3 stored3:complete3,drop2
    FC-89 | 2 | interval=10 | +10 tick req run +10 tick:trig1/0,trig1/1
    FC-98 periodic off and on | 1 | interval=10 | run nop +50 tick req:trig1/0 ack1/0:store1 stored1:complete1 +50 tick per +9 tick +1 tick:trig2/0
    FC-98 shutdown | 1 | interval=10 concurrent=2 | run req:trig1/0 req:trig2/0 ack1/0:store1 shutdown:abort2(shutdown,-),discard2 +10 tick req ack2/0 stored1 shutdown

    # Finished tasks.
    FC-142 a | 3 0>1 1>2 | | run req:trig1/0
    FC-142 b | 7 0>3 1>3 2>3 0>4 1>4 2>4 0>5 1>5 2>5 0>6 1>6 2>6 | | run fin0 fin1 req:trig1/2
    FC-142 c | 8 0>4 1>5 2>6 3>7 | | run fin0 fin1 req:trig1/2,trig1/3,trig1/4,trig1/5
    FC-142 d | 8 0>4 1>5 2>6 3>7 | | run fin0 fin1 fin4 req:trig1/2,trig1/3,trig1/5
    FC-142 e | 18 0>13 0>14 0>15 0>16 0>17 1>13 1>14 1>15 1>16 1>17 2>13 2>14 2>15 2>16 2>17 3>13 4>14 5>15 6>16 7>17 8>13 9>14 10>15 11>16 12>17 | | run fin0 fin1 fin2 fin3 fin5 fin6 fin10 fin12 fin15 req:trig1/4,trig1/7,trig1/8,trig1/9,trig1/11
    FC-143, jet-1397 | 6 | | run fin0 fin1 fin2 req:trig1/3,trig1/4,trig1/5 ack1/3 ack1/4 ack1/5:store1
    finishing stands for the acknowledgement (hazelcast-jet 1397) | 2 0>1 | | run req:trig1/0 ack1/0 fin1:store1
    trigger met a finished task (FLINK-23741) | 3 0>1 1>2 | | run req:trig1/0 fin0:trig1/1 fin1:trig1/2 ack1/2:store1
    a barrier of one sender is enough | 3 0>2 1>2 | | run req:trig1/0,trig1/1 ack1/0 fin0 fin1 ack1/2:store1
    per checkpoint | 2 0>1 | concurrent=2 | run req:trig1/0 ack1/0 req:trig2/0 fin0:trig2/1 ack1/1:store1 ack2/1
    all finished | 1 | interval=10 | run req:trig1/0 fin0:store1 stored1:complete1 +10 tick req

    # Final checkpoint.
    FC-144 | 2 0>1 | interval=1000 pause=1000 | run +1 req:trig1/0 ack1/0 ack1/1:store1 stored1:complete1 fin0 await1:trig2/1 ack2/1:store2 stored2:complete2,drop1 tick fin1 tick
    FC-144 all must wait | 3 0>2 1>2 | | run await2 fin0 await1:trig1/1,trig1/2 ack1/1 ack1/2:store1 stored1:complete1
    a waiting task sends no barriers | 2 0>1 | tolerable=1 | run req:trig1/0 await0:trig1/1 ack1/0 dec1/1:abort1(snapshot_failed,-),discard1 req:trig2/0,trig2/1
    FC-145 | 2 0>1 | | run req:trig1/0 ack1/0 fin0 await1 ack1/1:store1 stored1:complete1,trig2/1 ack2/1:store2 stored2:complete2,drop1 tick fin1
    a pending one that came after is enough | 2 | interval=10 concurrent=2 | run fin0 +10 tick:trig1/1 await1:trig2/1 ack1/1:store1 stored1:complete1 ack2/1:store2 stored2:complete2,drop1
    final one failed | 1 | tolerable=1 | run await0:trig1/0 dec1/0:abort1(snapshot_failed,-),discard1 +9 tick +1 tick:trig2/0 ack2/0:store2 stored2:complete2 tick fin0
    final one failed, longer pause | 1 | tolerable=1 pause=50 | run await0:trig1/0 dec1/0:abort1(snapshot_failed,-),discard1 +49 tick +1 tick:trig2/0

    # Stop with a last checkpoint.
    stop | 2 | interval=10 | run stop:trig1/0,trig1/1 stop +10 tick req ack1/0 ack1/1:store1 stored1:complete1,stop1 +10 tick req stop
    stop waits for a slot | 1 | retain=2 | run req:trig1/0 req stop ack1/0:store1 stored1:complete1,trig2/0 ack2/0:store2 stored2:complete2,stop2
    stop with all finished | 1 | | run fin0 stop:stop-
    stop while the last store runs | 1 | | run req:trig1/0 fin0:store1 stop stored1:complete1,stop1
    FC-154, FLINK-7067, FLINK-15152 | 1 | interval=10 tolerable=1 | run stop:trig1/0 +10 tick dec1/0:abort1(snapshot_failed,-),discard1,stopfailed(snapshot_failed),trig2/0
    FC-154 store | 1 | tolerable=1 | run stop:trig1/0 ack1/0:store1 storefail1:abort1(store_failed,-),discard1,stopfailed(store_failed) req:trig2/0
    FC-155 | 1 | | run stop:trig1/0 restart:abort1(job_failed,-),discard1,stopfailed(job_failed) run req:trig2/0
    stop before all run | 1 | | stop:stopfailed(not_all_running) run req:trig1/0
    """)
    void shouldAnswer(String name, String tasks, String settings, String line) {
        CoordinatorScript script = new CoordinatorScript(tasks, settings == null ? "" : settings);

        assertEquals(line, script.play(line), name);
    }
}
