import { lazyRouteComponent } from '@tanstack/react-router';

export { AddToReview } from './add-to-review.tsx';
export { PickableWords } from './pickable-words.tsx';
export { reviewedWord } from './review-stages.ts';
export { accuraciesBefore } from './sound-changes.ts';
export { SessionWords } from './session-words.tsx';

export const ReviewScreen = lazyRouteComponent(() => import('./review-screen.tsx'), 'ReviewScreen');
