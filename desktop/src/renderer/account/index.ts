export { AccountCard } from './account-card.tsx';
export { PlanScreen } from './plan/plan-screen.tsx';
export { SignInScreen } from './sign-in/sign-in-screen.tsx';
export { WaitingScreen } from './access/waiting-screen.tsx';
export { accountEmail, MergePreview } from './sign-in/merge-preview.tsx';
