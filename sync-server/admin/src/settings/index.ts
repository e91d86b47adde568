export { SettingsScreen } from './settings-screen.tsx';
export { SiteTextScreen } from './site-text-screen.tsx';
