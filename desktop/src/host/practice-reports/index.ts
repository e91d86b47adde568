export { createPracticeReports, type PracticeReports } from './practice-reports.ts';
