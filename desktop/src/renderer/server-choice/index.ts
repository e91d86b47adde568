/** Choosing where the learner's work is kept: at the first start, in the settings, and from a link. */
import { lazyRouteComponent } from '@tanstack/react-router';

export { ServerCard } from './server-card.tsx';
export { SwitchFailedBanner } from './switch-failed-banner.tsx';

export const FirstChoiceScreen = lazyRouteComponent(() => import('./first-choice-screen.tsx'), 'FirstChoiceScreen');
export const ConnectScreen = lazyRouteComponent(() => import('./connect-screen.tsx'), 'ConnectScreen');
