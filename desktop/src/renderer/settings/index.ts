import { lazyRouteComponent } from '@tanstack/react-router';

export const SettingsScreen = lazyRouteComponent(() => import('./settings-screen.tsx'), 'SettingsScreen');
