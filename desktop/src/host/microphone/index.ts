export { checkMicrophone } from './check-microphone.ts';
