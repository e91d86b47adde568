export { createToday, type Today } from './today.ts';
