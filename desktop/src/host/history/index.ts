export { eraseDeletedRecordings } from './erase-deleted-recordings.ts';
export { createHistory, type History } from './history.ts';
export { createSearchIndex } from './search-index.ts';
