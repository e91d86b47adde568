import { lazyRouteComponent } from '@tanstack/react-router';

export { CompareVoices } from './compare-voices.tsx';
export { CompareSentence } from './compare-sentence.tsx';
export { canBeCompared } from './tracks/use-voices.ts';

export const ShadowScreen = lazyRouteComponent(() => import('./shadow-screen.tsx'), 'ShadowScreen');
