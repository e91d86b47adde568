import { lazyRouteComponent } from '@tanstack/react-router';

export const WelcomeScreen = lazyRouteComponent(() => import('./welcome-screen.tsx'), 'WelcomeScreen');
