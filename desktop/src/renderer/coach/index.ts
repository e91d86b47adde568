import { lazyRouteComponent } from '@tanstack/react-router';

export const CoachScreen = lazyRouteComponent(() => import('./coach-screen.tsx'), 'CoachScreen');
