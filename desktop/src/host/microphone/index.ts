export { checkMicrophone } from './microphone.ts';
