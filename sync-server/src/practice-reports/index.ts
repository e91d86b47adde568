export { createPracticeReports, type PracticeReports } from './practice-reports.ts';
export { countOpenReports, readOpenReports } from './open-reports.ts';
