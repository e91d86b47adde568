export { addSiteRoutes, type SiteRouteParts } from './site-routes.ts';
