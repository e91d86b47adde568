export { type PeriodicJob, runJobs, type RunningJobs } from './run-jobs.ts';
export { type QueueAge, readQueueAges } from './queue-ages.ts';
