export { createTray, type Tray } from './tray.ts';
