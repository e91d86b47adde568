import { lazyRouteComponent } from '@tanstack/react-router';

export const ProgressScreen = lazyRouteComponent(() => import('./progress-screen.tsx'), 'ProgressScreen');
