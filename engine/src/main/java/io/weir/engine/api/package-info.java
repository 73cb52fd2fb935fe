/** What users write: pipelines, streams, functions, codecs and settings. Touches the storage faces only; any thread. */
package io.weir.engine.api;
