export { type PeriodicJob, runJobs, type RunningJobs } from './run-jobs.ts';
