"""Operations: one action on many jobs, carried out in batches by a job of its own.

Which jobs. An operation remembers the snapshot of the moment it was asked for. A job is in it when

1. it was there: what that snapshot could not see is left alone, also a job whose id was drawn
   before and whose transaction was committed after;
2. it matches the filter, and is in a status the action may start from, when its turn comes;
3. and, unless the action is `cancel`, its status is the one it had at that moment. A job that fails
   after the click is not retried by it, nor one that was retried, by whomever, and failed again.
   A cancel means the work and not a status, so a job that has moved on is cancelled all the same
   while it matches.

How far. Jobs are taken by rising id, in batches. A batch is one transaction: it locks the
operation, changes the jobs and moves the cursor and the counts, so whatever dies in between, no job
is done twice or forgotten. It takes locks in the order of all transactions here, after its own row:
workflows by id, then jobs by id, then edges.

Who stops it. A cancel locks the same row, so it comes between two batches, and what it finds
committed stays done. Whoever carries on an operation that has ended finds it ended.
"""
