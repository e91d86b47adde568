export { createPracticeReports, MAX_REPORTS_A_DAY_AND_NETWORK, type PracticeReports } from './practice-reports.ts';
export { countOpenReports, readOpenReports } from './list-reports.ts';
