import { lazyRouteComponent } from '@tanstack/react-router';

export { CoachCardView, CoachChoice } from './coach-card.tsx';
export { PRACTICE_STYLE_FILTERS } from './find-practices.ts';
export { PracticeCardView, PracticeCover, PracticeFacts } from './practice-card.tsx';

export const BriefingScreen = lazyRouteComponent(() => import('./briefing/briefing-screen.tsx'), 'BriefingScreen');
export const PractiseScreen = lazyRouteComponent(() => import('./practise-screen.tsx'), 'PractiseScreen');
