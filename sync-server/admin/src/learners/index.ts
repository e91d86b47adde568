export { InviteScreen } from './invite-screen.tsx';
export { LearnerScreen } from './learner-screen.tsx';
export { parseAddresses } from './parse-addresses.ts';
export { LearnersScreen } from './learners-screen.tsx';
