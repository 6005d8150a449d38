-- The W3C traceparent of the request that an event came of; NULL where that was sent without one, or where none was.
ALTER TABLE events ADD COLUMN traceparent TEXT;
