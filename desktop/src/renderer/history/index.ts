import { lazyRouteComponent } from '@tanstack/react-router';

export const HistoryScreen = lazyRouteComponent(() => import('./history-screen.tsx'), 'HistoryScreen');
