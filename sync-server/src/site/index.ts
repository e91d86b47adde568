export { renderDraft } from './blog/render-markdown.ts';
export { addSiteRoutes } from './site-routes.ts';
