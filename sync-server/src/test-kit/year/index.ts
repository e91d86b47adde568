/** A year of accounts, simulated: for tests, and for whoever wants to see what the rules are worth. */
export { simulateYear, type YearOptions, type YearReport } from './simulate-year.ts';
