export type { ByteStream, Content } from './byte-stream.js';
export type { ByteRange, Download, DownloadOptions } from './download.js';
export { type SiteFiles, siteFiles } from './filesite.js';
export type { ListSitesOptions } from './list-sites.js';
export type { RecipeClient } from './requests.js';
export type { DriveItem, FileLocation, IdentitySet, Site } from './resources.js';
export type { FilesiteOptions } from './transfers.js';
export type { Upload, UploadOptions } from './upload.js';
export type { Conflict, UploadProgress } from './upload-session.js';
