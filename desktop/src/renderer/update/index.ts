import { lazyRouteComponent } from '@tanstack/react-router';

export { OutdatedBanner } from './outdated-banner.tsx';

export const UpdateScreen = lazyRouteComponent(() => import('./update-screen.tsx'), 'UpdateScreen');
