/** The simulated year: many accounts on the real server, for tests and benchmarks. */
export { simulateYear, type YearReport } from './simulate-year.ts';
