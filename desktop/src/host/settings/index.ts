export { createSettings, DEFAULT_DEVICE_SETTINGS, type Settings } from './settings.ts';
