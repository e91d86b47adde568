export { createPractice, type Practice } from './practice.ts';
