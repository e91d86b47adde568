import { lazyRouteComponent } from '@tanstack/react-router';

export { DRILL_TABS } from './drill-tabs.ts';

export const DrillsScreen = lazyRouteComponent(() => import('./drills-screen.tsx'), 'DrillsScreen');
export const SayScreen = lazyRouteComponent(() => import('./say-screen.tsx'), 'SayScreen');
