// HTTP requests to the server, with JSON both ways.

/** The server's answer to a request that it refused. */
class ApiError extends Error {
  constructor(status, body) {
    super(body?.error ?? `The server answers ${status}.`);
    this.status = status;
    this.reason = body?.reason ?? body?.code ?? '';
    this.squares = body?.squares ?? [];
    this.didYouMean = body?.did_you_mean ?? [];
  }
}

async function request(path, init) {
  const response = await fetch(path, { credentials: 'same-origin', ...init });
  const text = await response.text();
  let body = null;
  try { body = text ? JSON.parse(text) : null; } catch { body = null; }
  if (!response.ok) throw new ApiError(response.status, body);
  return body ?? text;
}

/** Sends a GET request. */
export const get = (path) => request(path, { headers: { accept: 'application/json' } });

/** Sends a POST request with a JSON body. */
export const post = (path, body, signal) => request(path, {
  method: 'POST', signal, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body),
});

/** Sends a DELETE request. */
export const del = (path) => request(path, { method: 'DELETE' });
