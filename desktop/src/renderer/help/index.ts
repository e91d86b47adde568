/** Help: shortcuts, and what to do when something does not work. */
import { lazyRouteComponent } from '@tanstack/react-router';

export { CrashBanner } from './crash-banner.tsx';
export { ObstacleBanner } from './obstacle-banner.tsx';
export { MovedServerBanner } from './moved-server-banner.tsx';
export { NotMovedBanner } from './not-moved-banner.tsx';
export { RestoredBanner } from './restored-banner.tsx';
export { WipedBanner } from './wiped-banner.tsx';
export { SafeModeBanner } from './safe-mode-banner.tsx';
export { Shortcuts } from './shortcuts.tsx';

export const HelpScreen = lazyRouteComponent(() => import('./help-screen.tsx'), 'HelpScreen');
