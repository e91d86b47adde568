export { renderDraft } from './blog/render-markdown.ts';
export { addSiteRoutes, type SiteRouteParts } from './site-routes.ts';
