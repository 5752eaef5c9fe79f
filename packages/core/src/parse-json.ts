export { parseJson } from '@svc/catalog/parse-json';
