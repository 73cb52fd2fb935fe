package io.weir.engine.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The behavioural cases of the coordinator, one a line: number, tasks, settings, events with what they ask for (notation
 * of {@link CoordinatorScript}).
 *
 * <p>Not here: which files an aborted checkpoint leaves is known to the store, what a snapshot says of its operators is in its
 * handle. FC-76's timeout disarming and FC-87's overflow are in {@link CheckpointCoordinatorTest}.
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
    jet-2503, jet-2487 | 1 | | run req:trig1/0 ack1/0:store1 stored1:complete1 req:trig2/0 restart:abort2(job_failed,1),discard2 oldack2/0:late2/0 run oldack2/0:late2/0 req:trig3/0 oldack2/0:late2/0 ack3/0:store3
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
    FLINK-13969 | 1 | | run sp1:prepare1 shutdown:abort1(shutdown,-),discard1,failed1(shutdown) prep1 +10 tick
    FC-98 shutdown | 1 | interval=10 concurrent=2 | run req:trig1/0 req:trig2/0 ack1/0:store1 shutdown:abort2(shutdown,-),discard2 +10 tick req ack2/0 stored1 shutdown

    old checkpoints that are not deleted yet hold back new ones, savepoints not | 1 | slowdelete=1 | run req:trig1/0 ack1/0:store1 stored1:complete1 req:trig2/0 ack2/0:store2 stored2:complete2,drop1 req:trig3/0 ack3/0:store3 stored3:complete3,drop2 req1 sp2:prepare4 deleted prep4:trig4/0,trig5/0
    interval during backlog | 2 | interval=10 backlog=100 | run +10 tick +90 tick:trig1/0,trig1/1 ack1/0 ack1/1:store1 stored1:complete1 +50 caught0 tick caught1:trig2/0,trig2/1 ack2/0 ack2/1:store2 stored2:complete2,drop1 +10 tick:trig3/0,trig3/1
    no checkpoints during backlog | 1 | interval=10 backlog=0 | run +500 tick req:trig1/0 ack1/0:store1 stored1:complete1 caught0:trig2/0
    a finished source has no backlog | 2 0>1 | interval=10 backlog=100 | run +20 tick fin0:trig1/1
    a restarted source has backlog again | 1 | interval=10 backlog=100 | run caught0 +10 tick:trig1/0 restart:abort1(job_failed,-),discard1 run +10 tick +90 tick:trig2/0

    # Requests and their answers.
    FC-86 user before period | 1 | interval=10 | run +10 tick:trig1/0 +10 req7 ack1/0:store1 stored1:complete1,trig2/0 dec2/0:abort2(snapshot_failed,1),discard2,failed7(snapshot_failed),failjob2(snapshot_failed)
    FC-86 savepoint before checkpoint | 1 | unaligned=1 | run req1:trig1/0 req2 sp3 ack1/0:store1 stored1:complete1,done1=1,prepare2 prep2:trig2/0 ack2/0:store2 stored2:done3=2,trig3/0 ack3/0:store3 stored3:complete3,drop1,done2=3
    one checkpoint answers all that wait | 1 | | run req1:trig1/0 req2 req3 ack1/0:store1 stored1:complete1,done1=1,trig2/0 ack2/0:store2 stored2:complete2,drop1,done2=2,done3=2
    FC-98 shutdown fails what waits and what is pending | 1 | | run req1:trig1/0 req2 shutdown:abort1(shutdown,-),discard1,failed1(shutdown),failed2(shutdown) req3:failed3(shutdown) sp4:failed4(shutdown)
    requests that come too early, too late, or to a job that ends | 1 | | req1:failed1(not_all_running) sp2:failed2(not_all_running) run fin0 req3:failed3(all_finished) sp4:failed4(all_finished)
    what waits fails with the job | 1 | unaligned=1 | run req1:trig1/0 req2 sp3 dec1/0:abort1(snapshot_failed,-),discard1,failed1(snapshot_failed),failjob1(snapshot_failed),failed3(job_failed),failed2(job_failed) req4:failed4(job_failed)
    what waits fails when all has finished | 1 | | run req1:trig1/0 req2 fin0:store1,failed2(all_finished) stored1:complete1,done1=1

    # Savepoints.
    FC-90 | 1 | interval=10 pause=100000 | run +10 tick:trig1/0 sp1:prepare2 sp2:prepare3 sp3:prepare4 prep2:trig2/0 prep3:trig3/0 prep4:trig4/0 ack4/0:store4 stored4:done3=4 ack3/0:store3 stored3:done2=3 ack2/0:store2 stored2:done1=2
    FC-91, FC-125 | 1 | concurrent=5 | run sp1:prepare1 prep1:trig1/0 req:trig2/0 req:trig3/0 ack3/0:store3 stored3:abort2(subsumed,3),discard2,complete3 req:trig4/0 sp2:prepare5 prep5:trig5/0 ack5/0:store5 stored5:done2=5 ack1/0:store1 stored1:done1=1 req:trig6/0 ack6/0:store6 stored6:abort4(subsumed,6),discard4,complete6,drop3
    FC-92 | 1 | unaligned=1 tolerable=5 interval=10 | run req1:trig1/0 req2 req3 sp4 +10 tick dec1/0:abort1(snapshot_failed,-),discard1,failed1(snapshot_failed),prepare2 prep2:trig2/0 tick ack2/0:store2 stored2:done4=2,trig3/0 ack3/0:store3 stored3:complete3,done2=3,done3=3,trig4/0
    FC-93 failed savepoints don't count | 1 | | run sp1:prepare1 prep1:trig1/0 dec1/0:abort1(snapshot_failed,-),discard1,failed1(snapshot_failed) sp2:prepare2 prep2:trig2/0 ack2/0:store2 storefail2:abort2(store_failed,-),discard2,failed2(store_failed) req:trig3/0
    FC-94 no place for a savepoint | 1 | | run sp1:prepare1 unprep1:abort1(place_failed,-),discard1,failed1(place_failed) unprep1 prep1 ack1/0:late1/0 req:trig2/0
    FC-105 a savepoint ends once | 2 | timeout=100 | run sp1:prepare1 prep1:trig1/0,trig1/1 prep1 ack1/0 +100 tick:abort1(expired,-),discard1,failed1(expired) ack1/1:late1/1 tick
    no task is triggered before the place is there | 2 0>1 | | run sp1:prepare1 fin0 prep1:trig1/1 ack1/1:store1 stored1:done1=1
    a savepoint is not what a task waits for at its end | 1 | | run sp1:prepare1 prep1:trig1/0 await0:trig2/0 ack1/0:store1 stored1:done1=1 ack2/0:store2 stored2:complete2 fin0
    a restart ends a savepoint that has no place yet | 1 | | run sp1:prepare1 restart:abort1(job_failed,-),discard1,failed1(job_failed) prep1 run

    # Regions.
    FC-106, FLINK-13256, FLINK-7844 | 2 | interval=10 | run req1:trig1/0,trig1/1 ack1/0 restart1:abort1(job_failed,-),discard1,failed1(job_failed) +10 tick oldack1/1:late1/1 ack1/0:late1/0 run +10 tick:trig2/0,trig2/1 oldack2/1 ack2/0 ack2/1:store2
    what finished in another region stays so | 2 | | run fin0 fin1 restart1 run req:trig1/1 ack1/1:store1

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
    stop, jet-1016 | 2 | interval=10 | run stop:trig1/0,trig1/1 stop +10 tick req ack1/0 ack1/1:store1 stored1:complete1,stop1 +10 tick req stop
    stop waits for a slot | 1 | retain=2 | run req:trig1/0 req stop ack1/0:store1 stored1:complete1,trig2/0 ack2/0:store2 stored2:complete2,stop2
    stop with all finished | 1 | | run fin0 stop:stop-
    stop while the last store runs | 1 | | run req:trig1/0 fin0:store1 stop stored1:complete1,stop1
    FC-154, FLINK-7067, FLINK-15152 | 1 | interval=10 tolerable=1 | run stop:trig1/0 +10 tick dec1/0:abort1(snapshot_failed,-),discard1,stopfailed(snapshot_failed),trig2/0
    FC-154 store | 1 | tolerable=1 | run stop:trig1/0 ack1/0:store1 storefail1:abort1(store_failed,-),discard1,stopfailed(store_failed) req:trig2/0
    stop cut short by a failure | 1 | | run stop:trig1/0 restart:abort1(job_failed,-),discard1,stopfailed(job_failed) run req:trig2/0
    FC-155 | 1 | | run stopsp7:prepare1 prep1:trig1/0 ack1/0:store1 stored1:complete1,stop1 restart run req:trig2/0
    stop before all run | 1 | | stop:stopfailed(not_all_running) run req:trig1/0
    a stop refuses who waits, and whoever comes later | 1 | | run req1:trig1/0 req2 stop3:failed2(stopping) stop4:failed4(stopping) req5:failed5(stopping) sp6:failed6(stopping) ack1/0:store1 stored1:complete1,done1=1,trig2/0
    stop with savepoint | 1 | interval=10 | run stopsp7:prepare1 +10 tick prep1:trig1/0 ack1/0:store1 stored1:complete1,stop1 req8:failed8(stopping)
    FC-107 savepoints take nobody's place | 1 | | run req:trig1/0 ack1/0:store1 stored1:complete1 req:trig2/0 ack2/0:store2 stored2:complete2,drop1 sp3:prepare3 prep3:trig3/0 ack3/0:store3 stored3:done3=3 sp4:prepare4 prep4:trig4/0 ack4/0:store4 stored4:done4=4
    FC-107, FLINK-21351 | 1 | | run req:trig1/0 ack1/0:store1 stored1:complete1 sp2:prepare2 prep2:trig2/0 ack2/0:store2 stored2:done2=2 req:trig3/0 ack3/0:store3 stored3:complete3,drop1
    FC-107 the last savepoint is a checkpoint as well | 1 | | run req:trig1/0 ack1/0:store1 stored1:complete1 sp2:prepare2 prep2:trig2/0 ack2/0:store2 stored2:done2=2 stopsp3:prepare3 prep3:trig3/0 ack3/0:store3 stored3:complete3,drop1,stop3
    FC-154 savepoint, FC-156 | 1 | interval=10 | run stopsp7:prepare1 prep1:trig1/0 dec1/0:abort1(snapshot_failed,-),discard1,stopfailed(snapshot_failed) dec1/0 +10 tick:trig2/0
    stop with savepoint, no place | 1 | | run stopsp7:prepare1 unprep1:abort1(place_failed,-),discard1,stopfailed(place_failed) req:trig2/0
    stop with savepoint of a job that has finished | 1 | | run fin0 stopsp7:prepare1 prep1:store1 stored1:complete1,stop1
    drain | 2 0>1 | interval=10 | run drain7:endsources +10 tick fin0 await1:trig1/1 ack1/1:store1 stored1:complete1,stop1 fin1
    drain of tasks that wait for no checkpoint | 2 0>1 | | run drain7:endsources fin0 fin1:stop-
    FC-152 drain with savepoint | 2 0>1 | interval=10 | run drainsp7:endsources +10 tick fin0 await1:prepare1 prep1:trig1/1 ack1/1:store1 stored1:complete1,stop1 fin1
    drain with savepoint, all finish | 2 0>1 | | run drainsp7:endsources fin0 fin1:prepare1 prep1:store1 stored1:complete1,stop1
    drain behind a pending checkpoint | 2 0>1 | | run req:trig1/0 ack1/0 drainsp7:endsources fin0 ack1/1:store1 await1 stored1:complete1,prepare2 prep2:trig2/1 ack2/1:store2 stored2:complete2,drop1,stop2
    drain of a job that has ended by itself | 1 | | run await0:trig1/0 drainsp7 ack1/0:store1 stored1:complete1,prepare2 prep2:trig2/0 ack2/0:store2 stored2:complete2,drop1,stop2
    FC-158 | 2 0>1 | tolerable=9 | run drainsp7:endsources fin0 await1:prepare1 prep1:trig1/1 ack1/1:store1 storefail1:abort1(store_failed,-),discard1,stopfailed(store_failed),failjob1(store_failed) restart run req:trig2/0
    drain cut short by a failure | 2 0>1 | | run drainsp7:endsources fin0 restart:stopfailed(job_failed) run req:trig1/0
    drain cut short by the shutdown | 1 | | run drainsp7:endsources await0:prepare1 prep1:trig1/0 shutdown:abort1(shutdown,-),discard1,stopfailed(shutdown)
    FC-159 | 1 | concurrent=2 | run await0:trig1/0 stopsp7:prepare2 prep2:trig2/0 ack1/0:store1 stored1:complete1 fin0:store2 stored2:complete2,drop1,stop2

    # The end of the job.
    FC-110 cancelled | 1 | retain=2 | run req:trig1/0 ack1/0:store1 stored1:complete1 req:trig2/0 cancel:abort2(shutdown,1),discard2
    FC-110 cancelled, none to be kept | 1 | retain=2 dropatcancel=1 | run req:trig1/0 ack1/0:store1 stored1:complete1 req:trig2/0 ack2/0:store2 stored2:complete2 req:trig3/0 cancel:abort3(shutdown,2),discard3,drop1,drop2 cancel
    FC-110 failed or suspended | 1 | dropatcancel=1 | run req:trig1/0 ack1/0:store1 stored1:complete1 shutdown cancel
    """)
    void shouldAnswer(String name, String tasks, String settings, String line) {
        CoordinatorScript script = new CoordinatorScript(tasks, settings == null ? "" : settings);

        assertEquals(line, script.play(line), name);
    }
}
