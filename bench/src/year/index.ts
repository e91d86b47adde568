/** The simulated year: many accounts on the real server, for tests and benchmarks. */
export { simulateYear, type YearOptions, type YearReport } from './simulate-year.ts';
