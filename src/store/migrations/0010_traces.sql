-- compatible: 1
--
-- The trace that an execution belongs to (W3C Trace Context): 16 bytes.  NULL:
-- it is from before there were any, or an older module made it.
--
-- The lock is short, since no row is written.

SET LOCAL lock_timeout = '500ms';

ALTER TABLE executions ADD COLUMN trace_id bytea;
