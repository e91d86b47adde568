export { AccountCard } from './account-card.tsx';
export { PlanScreen } from './plan-screen.tsx';
export { SignInScreen } from './sign-in-screen.tsx';
export { WaitingScreen } from './waiting-screen.tsx';
export { heldBy, WhatComesAlong } from './what-comes-along.tsx';
