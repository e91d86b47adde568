export { createExporter, type Exporter } from './data-export.ts';
export { createImporter, type Importer } from './importer.ts';
export { readExportOwner } from './read-export.ts';
