export { type Calls, createCalls } from './call/calls.ts';
export { createPractice, type Practice } from './practice.ts';
