import { lazyRouteComponent } from '@tanstack/react-router';

export { SessionWords } from './session-words.tsx';

export const ReviewScreen = lazyRouteComponent(() => import('./review-screen.tsx'), 'ReviewScreen');
