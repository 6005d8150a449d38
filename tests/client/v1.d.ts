export interface paths {
  "/feed": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List public feed posts, newest first
     * @description Replies are not in the feed. A tag or builder that nobody knows gives an empty page. Posts published while you page through neither shift nor repeat anything. Needs the scope `feed:read`.
     */
    get: operations["listFeed"];
    put?: never;
    /**
     * Publish a post as yourself
     * @description Fires `post.created`. The post is on disk when the answer arrives. Needs the scope `feed:write`.
     */
    post: operations["createPost"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/jobs": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Search the jobs board
     * @description Ranked by relevance × recency; recency halves every 14 days. Without words, the newest first. Jobs posted while you page through neither shift nor repeat anything. Needs the scope `jobs:read`.
     */
    get: operations["searchJobs"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/jobs/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Retrieve a job
     * @description Needs the scope `jobs:read`.
     */
    get: operations["getJob"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/prompts": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the community's prompts, best first
     * @description Ordered by the Bayesian mean of the ratings (five ratings of 3.0 as the prior), then newest first, so that one vote does not outrank forty. Needs the scope `prompts:read`.
     */
    get: operations["listPrompts"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/profiles/me": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Retrieve your own profile
     * @description The account behind the token, in the shape of any profile. Needs the scope `profile:read`.
     */
    get: operations["getOwnProfile"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/profiles/{username}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Retrieve a builder's public profile
     * @description Needs the scope `profile:read`.
     */
    get: operations["getProfile"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/webhooks": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the webhook endpoints of the current workspace
     * @description Needs the scope `webhooks:read`.
     */
    get: operations["listWebhooks"];
    put?: never;
    /**
     * Register a webhook endpoint
     * @description The answer holds the signing secret, which is shown only this once. 409 where the workspace has this address already, 422 where the address is not https, is inside a private network, or an event type is unknown. Needs the scope `webhooks:write`.
     */
    post: operations["registerWebhook"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/webhooks/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Retrieve a webhook endpoint
     * @description Needs the scope `webhooks:read`.
     */
    get: operations["getWebhook"];
    put?: never;
    post?: never;
    /**
     * Delete a webhook endpoint
     * @description What still waits to be delivered to it is dropped. Needs the scope `webhooks:write`.
     */
    delete: operations["deleteWebhook"];
    options?: never;
    head?: never;
    /**
     * Change a webhook endpoint, or switch it off and on
     * @description A field left out stays as it is. The secret stays the same. An endpoint that answered 410, or acknowledged nothing for five days, is disabled by itself; `enabled`: true resumes it. Needs the scope `webhooks:write`.
     */
    patch: operations["changeWebhook"];
    trace?: never;
  };
  "/webhooks/{id}/rotate-secret": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Give a webhook endpoint a new signing secret
     * @description The answer holds it, shown only this once. For 24 hours the old one signs too. Needs the scope `webhooks:write`.
     */
    post: operations["rotateWebhookSecret"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/webhooks/{id}/test": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a test event to a webhook endpoint
     * @description A `webhook.test` event, whatever the endpoint subscribes to. The answer is its delivery. Needs the scope `webhooks:write`.
     */
    post: operations["testWebhook"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/webhooks/{id}/deliveries": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the deliveries of a webhook endpoint, newest first
     * @description Needs the scope `webhooks:read`.
     */
    get: operations["listDeliveries"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/deliveries/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Retrieve a delivery with its attempts
     * @description Needs the scope `webhooks:read`.
     */
    get: operations["getDelivery"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/deliveries/{id}/retry": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Attempt a delivery again now
     * @description For one that failed or waits; the whole schedule stands before it again. Needs the scope `webhooks:write`.
     */
    post: operations["retryDelivery"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/webhooks/{id}/recover": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Attempt everything again that failed since a moment
     * @description Needs the scope `webhooks:write`.
     */
    post: operations["recoverWebhook"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/events": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Pull events instead of receiving them, oldest first
     * @description All that your workspace may see of the last 30 days: for a receiver behind a firewall, or after an outage. At the end, go on later with `since` set to the last `created_at` you have, and drop ids that you know. Needs the scope `webhooks:read`.
     */
    get: operations["listEvents"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/openapi.json": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * This document
     * @description Needs no token.
     */
    get: operations["getOpenApi"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    Error: {
      /**
       * @description The name of the error: part of the contract.
       * @enum {string}
       */
      error:
        | "bad_request"
        | "unauthorized"
        | "forbidden"
        | "not_found"
        | "conflict"
        | "unprocessable"
        | "rate_limited"
        | "server_error";
      /** @description One sentence for a person that says what to change. */
      message: string;
      /** @description The fields that failed. Never repeats a value that was sent. */
      details?: {
        path: string;
        message: string;
      }[];
    };
    CreatedPost: {
      /** @example post_01kafzq8e5f2r8v0j3n6s1t4wx */
      id: string;
      author: {
        username: string;
        name: string;
      };
      /** @description Markdown, as it was sent. */
      text: string;
      tags: string[];
      /** Format: date-time */
      created_at: string;
    };
    Delivery: {
      id: string;
      event_id: string;
      event_type: string;
      endpoint_id: string;
      /** @description attempting, awaiting_retry, acknowledged, failed */
      state: "attempting" | "awaiting_retry" | "acknowledged" | "failed";
      /** @description How many attempts have ended. */
      attempts: number;
      /** @description When the next attempt is due; null where none is. */
      next_attempt_at: string | null;
      /** Format: date-time */
      created_at: string;
      /** @description When it was acknowledged or failed for good. */
      settled_at: string | null;
    };
    DeliveryDetail: {
      id: string;
      event_id: string;
      event_type: string;
      endpoint_id: string;
      /** @description attempting, awaiting_retry, acknowledged, failed */
      state: "attempting" | "awaiting_retry" | "acknowledged" | "failed";
      /** @description How many attempts have ended. */
      attempts: number;
      /** @description When the next attempt is due; null where none is. */
      next_attempt_at: string | null;
      /** Format: date-time */
      created_at: string;
      /** @description When it was acknowledged or failed for good. */
      settled_at: string | null;
      /** @description The attempts, in order. */
      log: {
        id: string;
        /** Format: date-time */
        started_at: string;
        duration_ms: number;
        /** @description The answer's status; null where none came. */
        status: number | null;
        /** @description What went wrong, in words. */
        error: string | null;
        /** @description The first KiB of the answer, as text. */
        answer: string | null;
      }[];
    };
    DeliveryPage: {
      data: components["schemas"]["Delivery"][];
      /** @description Pass it as `cursor` to get the next page; null at the end of the list. */
      next: string | null;
    };
    Event: {
      id: string;
      type: string;
      /** Format: date-time */
      created_at: string;
      /** @description The payload of its type. */
      data: {
        [key: string]: unknown;
      };
    };
    EventPage: {
      data: components["schemas"]["Event"][];
      /** @description Pass it as `cursor` to get the next page; null at the end of the list. */
      next: string | null;
    };
    Job: {
      /** @example job_01kafzq8e5f2r8v0j3n6s1t4wx */
      id: string;
      title: string;
      company: {
        name: string;
        slug: string;
      };
      location: string;
      /** @description Stack slugs. */
      stack: string[];
      /** @description Whole units of the currency, a year. */
      salary: {
        min: number;
        max: number;
        currency: string;
      };
      /** Format: date-time */
      posted_at: string;
      /** @description Markdown. */
      description: string;
      /** Format: uri */
      apply_url: string;
    };
    JobListing: {
      /** @example job_01kafzq8e5f2r8v0j3n6s1t4wx */
      id: string;
      title: string;
      company: {
        name: string;
        slug: string;
      };
      location: string;
      /** @description Stack slugs. */
      stack: string[];
      /** @description Whole units of the currency, a year. */
      salary: {
        min: number;
        max: number;
        currency: string;
      };
      /** Format: date-time */
      posted_at: string;
    };
    JobPage: {
      data: components["schemas"]["JobListing"][];
      /** @description Pass it as `cursor` to get the next page; null at the end of the list. */
      next: string | null;
    };
    Post: {
      /** @example post_01kafzq8e5f2r8v0j3n6s1t4wx */
      id: string;
      author: {
        username: string;
        name: string;
      };
      /** @description Markdown, as it was sent. */
      text: string;
      tags: string[];
      /** Format: date-time */
      created_at: string;
      metrics: {
        likes: number;
        replies: number;
      };
    };
    PostPage: {
      data: components["schemas"]["Post"][];
      /** @description Pass it as `cursor` to get the next page; null at the end of the list. */
      next: string | null;
    };
    Profile: {
      username: string;
      name: string;
      bio: string;
      xp: number;
      streak_days: number;
      badges: string[];
      projects: {
        id: string;
        title: string;
      }[];
    };
    Prompt: {
      id: string;
      title: string;
      body: string;
      /** @description Model slug. */
      model: string;
      /** @description Category slug. */
      category: string;
      /** @description Mean of the ratings 1 to 5, two decimals; 0 with none. */
      score: number;
      author: {
        username: string;
      };
    };
    PromptPage: {
      data: components["schemas"]["Prompt"][];
      /** @description Pass it as `cursor` to get the next page; null at the end of the list. */
      next: string | null;
    };
    Recovery: {
      recovered: number;
    };
    RegisteredWebhookEndpoint: {
      id: string;
      /** Format: uri */
      url: string;
      /** @description Subscribed event types. */
      events: string[];
      /** Format: date-time */
      created_at: string;
      /** @description Since when nothing is sent to it, and why; null where deliveries go out. */
      disabled: {
        /** Format: date-time */
        at: string;
        reason: string;
      } | null;
      /** @description The signing secret, shown only now: `whsec_` + base64 of 32 bytes. */
      secret: string;
    };
    WebhookEndpoint: {
      id: string;
      /** Format: uri */
      url: string;
      /** @description Subscribed event types. */
      events: string[];
      /** Format: date-time */
      created_at: string;
      /** @description Since when nothing is sent to it, and why; null where deliveries go out. */
      disabled: {
        /** Format: date-time */
        at: string;
        reason: string;
      } | null;
    };
    WebhookEndpointList: {
      data: components["schemas"]["WebhookEndpoint"][];
    };
  };
  responses: {
    /** @description Malformed request or failed validation */
    Refused400: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
        "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
        "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "error": "bad_request",
         *       "message": "`limit` must be a whole number from 1 to 100."
         *     }
         */
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description Missing, expired or invalid credentials */
    Refused401: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
        "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
        "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "error": "unauthorized",
         *       "message": "Send a valid access token in the header `Authorization: Bearer <ACCESS_TOKEN>`."
         *     }
         */
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description Authenticated but not allowed */
    Refused403: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
        "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
        "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "error": "forbidden",
         *       "message": "This token lacks the scope `feed:write`; make a token that has it."
         *     }
         */
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description The resource does not exist */
    Refused404: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
        "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
        "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "error": "not_found",
         *       "message": "There is no job with that id."
         *     }
         */
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description State conflict, for example a duplicate */
    Refused409: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
        "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
        "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "error": "conflict",
         *       "message": "This workspace already has an endpoint with that `url`; change that one instead."
         *     }
         */
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description Well-formed, but its meaning is refused */
    Refused422: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
        "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
        "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "error": "unprocessable",
         *       "message": "`url` must begin with https://."
         *     }
         */
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description Rate limit exceeded; wait as Retry-After says */
    Refused429: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
        "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
        "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
        "Retry-After": components["headers"]["Retry-After"];
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "error": "rate_limited",
         *       "message": "Too many requests; wait 1 second (Retry-After)."
         *     }
         */
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description Unexpected error; safe to retry with backoff */
    Refused500: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
        "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
        "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "error": "server_error",
         *       "message": "Something went wrong on our side; retry with backoff, and quote the request id."
         *     }
         */
        "application/json": components["schemas"]["Error"];
      };
    };
  };
  parameters: never;
  requestBodies: never;
  headers: {
    /** @description Names this request in the log. An id that you send is kept. */
    "X-Request-Id": string;
    /** @description Requests that a rested caller may send at once. */
    "X-RateLimit-Limit": number;
    /** @description Whole requests left now. */
    "X-RateLimit-Remaining": number;
    /** @description When all of them are back: Unix time in seconds. */
    "X-RateLimit-Reset": number;
    /** @description Seconds to wait; the request after it succeeds. */
    "Retry-After": number;
    /** @description Send it back in If-None-Match: 304 where nothing changed. */
    ETag: string;
    /** @description The address of what was made. */
    Location: string;
    /** @description `true` where this is the first answer again. */
    "Idempotency-Replayed": "true";
  };
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  listFeed: {
    parameters: {
      query?: {
        /** @description The `next` of the page before, unchanged. Leave it out for the first page. */
        cursor?: string;
        /** @description Items on a page. */
        limit?: number;
        /** @description Only posts with this tag. */
        tag?: string;
        /** @description Only posts of this builder: a username without @, in any case. */
        author?: string;
        /** @description Only posts created after this moment. */
        since?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of the feed */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "post_01kafzq8e5f2r8v0j3n6s1t4wx",
           *           "author": {
           *             "username": "ada",
           *             "name": "Ada Okafor"
           *           },
           *           "text": "# Shipped\n\nThe first release of our **queue** is out.",
           *           "tags": [
           *             "rust",
           *             "shipped"
           *           ],
           *           "created_at": "2026-11-20T09:30:00.000Z",
           *           "metrics": {
           *             "likes": 12,
           *             "replies": 3
           *           }
           *         }
           *       ],
           *       "next": null
           *     }
           */
          "application/json": components["schemas"]["PostPage"];
        };
      };
      /** @description Nothing changed since the ETag that was sent */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  createPost: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: the same key and body within 24 hours get the first answer again. */
        "Idempotency-Key"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description Markdown. Counted in Unicode code points.
           * @example # Shipped
           *
           *     The first release of our **queue** is out.
           */
          text: string;
          /**
           * @description Tag slugs; repeated ones count once.
           * @example [
           *       "rust",
           *       "shipped"
           *     ]
           */
          tags?: string[];
          /**
           * @description Addresses of images or short videos.
           * @example [
           *       "https://images.example.com/queue.png"
           *     ]
           */
          media?: string[];
        };
      };
    };
    responses: {
      /** @description The post */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "post_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "author": {
           *         "username": "ada",
           *         "name": "Ada Okafor"
           *       },
           *       "text": "# Shipped\n\nThe first release of our **queue** is out.",
           *       "tags": [
           *         "rust",
           *         "shipped"
           *       ],
           *       "created_at": "2026-11-20T09:30:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["CreatedPost"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      409: components["responses"]["Refused409"];
      422: components["responses"]["Refused422"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  searchJobs: {
    parameters: {
      query?: {
        /** @description Words to find in title and description: all of them. `"quoted phrases"` and a trailing `*` work; no input is a syntax error. */
        q?: string;
        /** @description Stack slugs, any of: `stack=a&stack=b`, `stack=a,b` and `stack[]=a&stack[]=b` mean the same. */
        stack?: string[];
        /** @description City slug; with `remote=true`, that city or fully remote. */
        city?: string;
        /** @description `true`: fully remote roles, beside those of `city` where it is given. `false`: none of them. */
        remote?: boolean;
        /** @description Any of these levels. */
        seniority?: ("intern" | "junior" | "mid" | "senior" | "staff" | "principal" | "lead")[];
        /** @description The `next` of the page before, unchanged. Leave it out for the first page. */
        cursor?: string;
        /** @description Items on a page. */
        limit?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of jobs */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "job_01kafzq8e5f2r8v0j3n6s1t4wx",
           *           "title": "Senior Rust Engineer",
           *           "company": {
           *             "name": "Tidewater Systems",
           *             "slug": "tidewater-systems"
           *           },
           *           "location": "Berlin, Germany",
           *           "stack": [
           *             "rust",
           *             "postgres"
           *           ],
           *           "salary": {
           *             "min": 85000,
           *             "max": 110000,
           *             "currency": "EUR"
           *           },
           *           "posted_at": "2026-11-18T08:00:00.000Z"
           *         }
           *       ],
           *       "next": null
           *     }
           */
          "application/json": components["schemas"]["JobPage"];
        };
      };
      /** @description Nothing changed since the ETag that was sent */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  getJob: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The job's identifier.
         * @example job_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The job */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "job_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "title": "Senior Rust Engineer",
           *       "company": {
           *         "name": "Tidewater Systems",
           *         "slug": "tidewater-systems"
           *       },
           *       "location": "Berlin, Germany",
           *       "stack": [
           *         "rust",
           *         "postgres"
           *       ],
           *       "salary": {
           *         "min": 85000,
           *         "max": 110000,
           *         "currency": "EUR"
           *       },
           *       "posted_at": "2026-11-18T08:00:00.000Z",
           *       "description": "You will own the storage engine of …",
           *       "apply_url": "https://tidewater-systems.example.com/careers/senior-rust-engineer"
           *     }
           */
          "application/json": components["schemas"]["Job"];
        };
      };
      /** @description Nothing changed since the ETag that was sent */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  listPrompts: {
    parameters: {
      query?: {
        /** @description Model slug. */
        model?: string;
        /** @description Category slug. */
        category?: string;
        /** @description Only prompts with at least this score. */
        min_score?: number;
        /** @description The `next` of the page before, unchanged. Leave it out for the first page. */
        cursor?: string;
        /** @description Items on a page. */
        limit?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of prompts */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "prompt_01kafzq8e5f2r8v0j3n6s1t4wx",
           *           "title": "Review a diff like a maintainer",
           *           "body": "You maintain this project and will live with this change for ten years …",
           *           "model": "claude-sonnet",
           *           "category": "code-review",
           *           "score": 4.63,
           *           "author": {
           *             "username": "ada"
           *           }
           *         }
           *       ],
           *       "next": null
           *     }
           */
          "application/json": components["schemas"]["PromptPage"];
        };
      };
      /** @description Nothing changed since the ETag that was sent */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  getOwnProfile: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The profile */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "username": "ada",
           *       "name": "Ada Okafor",
           *       "bio": "Compilers by day, bread by night.",
           *       "xp": 4210,
           *       "streak_days": 37,
           *       "badges": [
           *         "first-post",
           *         "streak-30"
           *       ],
           *       "projects": [
           *         {
           *           "id": "prj_01kafzq8e5f2r8v0j3n6s1t4wx",
           *           "title": "tinyqueue"
           *         }
           *       ]
           *     }
           */
          "application/json": components["schemas"]["Profile"];
        };
      };
      /** @description Nothing changed since the ETag that was sent */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  getProfile: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The builder's handle without a leading @, in any case.
         * @example ada
         */
        username: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The profile */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "username": "ada",
           *       "name": "Ada Okafor",
           *       "bio": "Compilers by day, bread by night.",
           *       "xp": 4210,
           *       "streak_days": 37,
           *       "badges": [
           *         "first-post",
           *         "streak-30"
           *       ],
           *       "projects": [
           *         {
           *           "id": "prj_01kafzq8e5f2r8v0j3n6s1t4wx",
           *           "title": "tinyqueue"
           *         }
           *       ]
           *     }
           */
          "application/json": components["schemas"]["Profile"];
        };
      };
      /** @description Nothing changed since the ETag that was sent */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  listWebhooks: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description All endpoints, newest first */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "whe_01kafzq8e5f2r8v0j3n6s1t4wx",
           *           "url": "https://hooks.example.com/guildhall",
           *           "events": [
           *             "post.created"
           *           ],
           *           "created_at": "2026-11-20T09:30:00.000Z",
           *           "disabled": null
           *         }
           *       ]
           *     }
           */
          "application/json": components["schemas"]["WebhookEndpointList"];
        };
      };
      /** @description Nothing changed since the ETag that was sent */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  registerWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: the same key and body within 24 hours get the first answer again. */
        "Idempotency-Key"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description The https:// address that receives deliveries. Private and special addresses are refused.
           * @example https://hooks.example.com/guildhall
           */
          url: string;
          /**
           * @description Event types to receive, of: post.created, job.published, job.matched, dm.received, xp.level_up.
           * @example [
           *       "post.created"
           *     ]
           */
          events: string[];
        };
      };
    };
    responses: {
      /** @description The endpoint and its secret; `Location` names it */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
          Location: components["headers"]["Location"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "whe_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "url": "https://hooks.example.com/guildhall",
           *       "events": [
           *         "post.created"
           *       ],
           *       "created_at": "2026-11-20T09:30:00.000Z",
           *       "disabled": null,
           *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="
           *     }
           */
          "application/json": components["schemas"]["RegisteredWebhookEndpoint"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      409: components["responses"]["Refused409"];
      422: components["responses"]["Refused422"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  getWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The endpoint's identifier.
         * @example whe_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The endpoint */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "whe_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "url": "https://hooks.example.com/guildhall",
           *       "events": [
           *         "post.created"
           *       ],
           *       "created_at": "2026-11-20T09:30:00.000Z",
           *       "disabled": null
           *     }
           */
          "application/json": components["schemas"]["WebhookEndpoint"];
        };
      };
      /** @description Nothing changed since the ETag that was sent */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  deleteWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The endpoint's identifier.
         * @example whe_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is gone */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content?: never;
      };
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  changeWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The endpoint's identifier.
         * @example whe_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description The https:// address that receives deliveries. Private and special addresses are refused.
           * @example https://hooks.example.com/guildhall
           */
          url?: string;
          /**
           * @description Event types to receive, of: post.created, job.published, job.matched, dm.received, xp.level_up.
           * @example [
           *       "post.created"
           *     ]
           */
          events?: string[];
          /**
           * @description `false` stops deliveries and keeps what waits; `true` resumes them.
           * @example false
           */
          enabled?: boolean;
        };
      };
    };
    responses: {
      /** @description The endpoint as it is now */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "whe_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "url": "https://hooks.example.com/guildhall",
           *       "events": [
           *         "post.created"
           *       ],
           *       "created_at": "2026-11-20T09:30:00.000Z",
           *       "disabled": null
           *     }
           */
          "application/json": components["schemas"]["WebhookEndpoint"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      409: components["responses"]["Refused409"];
      422: components["responses"]["Refused422"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  rotateWebhookSecret: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: the same key and body within 24 hours get the first answer again. */
        "Idempotency-Key"?: string;
      };
      path: {
        /**
         * @description The endpoint's identifier.
         * @example whe_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The endpoint and its new secret */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "whe_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "url": "https://hooks.example.com/guildhall",
           *       "events": [
           *         "post.created"
           *       ],
           *       "created_at": "2026-11-20T09:30:00.000Z",
           *       "disabled": null,
           *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="
           *     }
           */
          "application/json": components["schemas"]["RegisteredWebhookEndpoint"];
        };
      };
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      409: components["responses"]["Refused409"];
      422: components["responses"]["Refused422"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  testWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: the same key and body within 24 hours get the first answer again. */
        "Idempotency-Key"?: string;
      };
      path: {
        /**
         * @description The endpoint's identifier.
         * @example whe_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The delivery */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
          Location: components["headers"]["Location"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "dlv_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "event_id": "evt_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "event_type": "webhook.test",
           *       "endpoint_id": "whe_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "state": "awaiting_retry",
           *       "attempts": 1,
           *       "next_attempt_at": "2026-11-20T09:30:30.000Z",
           *       "created_at": "2026-11-20T09:30:00.000Z",
           *       "settled_at": null
           *     }
           */
          "application/json": components["schemas"]["Delivery"];
        };
      };
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      409: components["responses"]["Refused409"];
      422: components["responses"]["Refused422"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  listDeliveries: {
    parameters: {
      query?: {
        /** @description The `next` of the page before, unchanged. Leave it out for the first page. */
        cursor?: string;
        /** @description Items on a page. */
        limit?: number;
        /** @description Only deliveries in this state. */
        state?: "attempting" | "awaiting_retry" | "acknowledged" | "failed";
      };
      header?: never;
      path: {
        /**
         * @description The endpoint's identifier.
         * @example whe_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of deliveries */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "dlv_01kafzq8e5f2r8v0j3n6s1t4wx",
           *           "event_id": "evt_01kafzq8e5f2r8v0j3n6s1t4wx",
           *           "event_type": "post.created",
           *           "endpoint_id": "whe_01kafzq8e5f2r8v0j3n6s1t4wx",
           *           "state": "awaiting_retry",
           *           "attempts": 1,
           *           "next_attempt_at": "2026-11-20T09:30:30.000Z",
           *           "created_at": "2026-11-20T09:30:00.000Z",
           *           "settled_at": null
           *         }
           *       ],
           *       "next": null
           *     }
           */
          "application/json": components["schemas"]["DeliveryPage"];
        };
      };
      /** @description Nothing changed since the ETag that was sent */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  getDelivery: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The delivery's identifier.
         * @example dlv_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The delivery */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "dlv_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "event_id": "evt_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "event_type": "post.created",
           *       "endpoint_id": "whe_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "state": "awaiting_retry",
           *       "attempts": 1,
           *       "next_attempt_at": "2026-11-20T09:30:30.000Z",
           *       "created_at": "2026-11-20T09:30:00.000Z",
           *       "settled_at": null,
           *       "log": [
           *         {
           *           "id": "att_01kafzq8e5f2r8v0j3n6s1t4wx",
           *           "started_at": "2026-11-20T09:30:00.002Z",
           *           "duration_ms": 41,
           *           "status": 503,
           *           "error": "The receiver answered 503.",
           *           "answer": "upstream is restarting"
           *         }
           *       ]
           *     }
           */
          "application/json": components["schemas"]["DeliveryDetail"];
        };
      };
      /** @description Nothing changed since the ETag that was sent */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  retryDelivery: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: the same key and body within 24 hours get the first answer again. */
        "Idempotency-Key"?: string;
      };
      path: {
        /**
         * @description The delivery's identifier.
         * @example dlv_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The delivery, due now */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "dlv_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "event_id": "evt_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "event_type": "post.created",
           *       "endpoint_id": "whe_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "state": "awaiting_retry",
           *       "attempts": 7,
           *       "next_attempt_at": "2026-11-20T09:30:30.000Z",
           *       "created_at": "2026-11-20T09:30:00.000Z",
           *       "settled_at": null
           *     }
           */
          "application/json": components["schemas"]["Delivery"];
        };
      };
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      409: components["responses"]["Refused409"];
      422: components["responses"]["Refused422"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  recoverWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: the same key and body within 24 hours get the first answer again. */
        "Idempotency-Key"?: string;
      };
      path: {
        /**
         * @description The endpoint's identifier.
         * @example whe_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * Format: date-time
           * @example 2026-11-20T00:00:00Z
           */
          since: string;
        };
      };
    };
    responses: {
      /** @description How many deliveries are due again */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "recovered": 12
           *     }
           */
          "application/json": components["schemas"]["Recovery"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      409: components["responses"]["Refused409"];
      422: components["responses"]["Refused422"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  listEvents: {
    parameters: {
      query?: {
        /** @description The `next` of the page before, unchanged. Leave it out for the first page. */
        cursor?: string;
        /** @description Items on a page. */
        limit?: number;
        /** @description Only events fired after this moment. */
        since?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of events, each as it is delivered */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "evt_01kafzq8e5f2r8v0j3n6s1t4wx",
           *           "type": "post.created",
           *           "created_at": "2026-11-20T09:30:00.000Z",
           *           "data": {
           *             "post": {
           *               "id": "post_01kafzq8e5f2r8v0j3n6s1t4wx",
           *               "author_id": "builder_01kafzq8e5f2r8v0j3n6s1t4wx",
           *               "title": "Shipped",
           *               "url": "https://guild.example/posts/post_01kafzq8e5f2r8v0j3n6s1t4wx"
           *             }
           *           }
           *         }
           *       ],
           *       "next": null
           *     }
           */
          "application/json": components["schemas"]["EventPage"];
        };
      };
      /** @description Nothing changed since the ETag that was sent */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  getOpenApi: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OpenAPI 3.1 */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": Record<string, never>;
        };
      };
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
}
