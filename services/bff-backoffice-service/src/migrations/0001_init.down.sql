-- The shared migrations remove their tables themselves.
select 1;
