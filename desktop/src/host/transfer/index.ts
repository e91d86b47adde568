export { createExporter, type Exporter } from './data-export.ts';
export { createImporter, type Importer } from './importer.ts';
