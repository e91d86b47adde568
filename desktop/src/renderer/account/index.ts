import { lazyRouteComponent } from '@tanstack/react-router';

export { AccountCard } from './account-card.tsx';
export { ConfirmWithCode } from './deletion/confirm-with-code.tsx';
export { useConfirmedRequest } from './deletion/use-confirmed-request.ts';
export { toAccountEmail, MergePreview } from './sign-in/merge-preview.tsx';

export const PlanScreen = lazyRouteComponent(() => import('./plan/plan-screen.tsx'), 'PlanScreen');
export const SignInScreen = lazyRouteComponent(() => import('./sign-in/sign-in-screen.tsx'), 'SignInScreen');
export const WaitingScreen = lazyRouteComponent(() => import('./access/waiting-screen.tsx'), 'WaitingScreen');
