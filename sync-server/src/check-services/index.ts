export { checkServices } from './check-services.ts';
