export { readWordList, storeWordList } from './word-list.ts';
