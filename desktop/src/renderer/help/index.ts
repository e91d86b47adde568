/** Help: shortcuts, and what to do when something does not work. */
export { CrashBanner } from './crash-banner.tsx';
export { HelpScreen } from './help-screen.tsx';
export { SafeModeBanner } from './safe-mode-banner.tsx';
export { Shortcuts } from './shortcuts.tsx';
