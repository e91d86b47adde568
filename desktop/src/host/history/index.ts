export { createHistory, type History } from './history.ts';
