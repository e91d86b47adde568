export { eraseDeletedRecordings } from './erase-deleted-recordings.ts';
export { createHistory, type History } from './history.ts';
export { createSearchIndex, type SearchIndex } from './search-index.ts';
